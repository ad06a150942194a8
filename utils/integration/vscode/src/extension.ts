/**
 * Shows in VS Code what `instantrace lsp` says of C and C++, and the page of
 * `instantrace report`.
 *
 * Flow:   editor -> LanguageClient -> instantrace lsp
 * Leaves: everything about costs to the program
 * Errors: a message, which names the setting where the program cannot be run
 */
import { execFile, type ExecFileException } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { type ErrorHandler, ErrorAction, LanguageClient, State } from "vscode-languageclient/node";

const serverSettings = ["session", "minimumCost", "inlayHints", "codeLens", "diagnostics"];

let client: LanguageClient | undefined;
/** The path that the server shows costs of; empty: there is none. */
let session = "";
let status: vscode.StatusBarItem;
let sessions: vscode.FileSystemWatcher;
/** Starts and settings, one after the other. */
let changing = Promise.resolve();
let report: vscode.WebviewPanel | undefined;

function setting<T>(name: string, folder?: vscode.Uri): T {
  return vscode.workspace.getConfiguration("instantrace", folder).get<T>(name)!;
}

function settingsOfServer(): Record<string, unknown> {
  return Object.fromEntries(serverSettings.map((name) => [name, setting(name)]));
}

/** Where the program runs, as the server does. */
function workingFolder(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

class CannotRun extends Error {}

/** What the program prints until its end; an error is what it said. */
function run(args: string[], signal?: AbortSignal): Promise<string> {
  const program = setting<unknown>("path");
  if (typeof program !== "string" || !program)
    return Promise.reject(new CannotRun("the setting instantrace.path names no program"));
  return new Promise((resolve, reject) => {
    const ended = (error: ExecFileException | null, stdout: string, stderr: string) => {
      if (!error || signal?.aborted) resolve(stdout);
      // A number is the exit code; a word says why there is none.
      else if (typeof error.code === "string")
        reject(new CannotRun(`cannot run '${program}' (${error.code}); install Instantrace, or set instantrace.path`));
      else reject(new Error(stderr.trim() || error.message));
    };
    execFile(program, args, { cwd: workingFolder(), maxBuffer: Infinity, signal }, ended);
  });
}

/** Another program may end well, too, whatever it is asked for. */
async function checkProgram(command: string): Promise<void> {
  if (!(await run([command, "--help"])).includes(`instantrace ${command}`))
    throw new CannotRun(`'${setting("path")}' is another program; set instantrace.path`);
}

async function showError(error: unknown): Promise<void> {
  const text = error instanceof Error ? error.message : String(error);
  const message = text.startsWith("instantrace: ") ? text : `instantrace: ${text}`;
  const buttons = error instanceof CannotRun ? ["Open Settings"] : [];
  if (!(await vscode.window.showErrorMessage(message, ...buttons))) return;
  // In a remote window, only the settings of that machine have the path.
  const page = vscode.env.remoteName ? "openRemoteSettings" : "openSettings";
  await vscode.commands.executeCommand("workbench.action." + page, { query: "instantrace.path" });
}

/** Does it; a message shows why it failed, which nobody waits for to be read. */
function attempt(action: () => Promise<void>): Promise<void> {
  return action().catch((error) => void showError(error));
}

function showSession(path: string): void {
  session = path;
  status.text = "Instantrace: " + (path ? vscode.workspace.asRelativePath(path) : "no session");
  status.tooltip = path ? `Costs are those of ${path}; open its report` : "Record a build to see what lines cost";
}

async function stopServer(): Promise<void> {
  const ended = client;
  client = undefined;
  await ended?.stop();
}

async function startServer(): Promise<void> {
  await stopServer();
  showSession("");
  await checkProgram("lsp");
  // What cannot be written to one that has died would stop the client for good; its closed connection gets another one.
  const errorHandler: ErrorHandler = {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => restarts.closed(),
  };
  const started = new LanguageClient(
    "instantrace",
    "Instantrace",
    { command: setting("path"), args: ["lsp"] },
    {
      documentSelector: ["c", "cpp"].map((language) => ({ scheme: "file", language })),
      initializationOptions: settingsOfServer,
      synchronize: { fileEvents: sessions },
      errorHandler,
    },
  );
  const restarts = started.createDefaultErrorHandler();
  started.onNotification("$/instantrace/session", (shown: { path: string }) => showSession(shown.path));
  // One that has crashed has a new one, but not for ever.
  started.onDidChangeState((change) => change.newState === State.Stopped && showSession(""));
  await started.start();
  client = started;
}

async function settingsChanged(event: vscode.ConfigurationChangeEvent): Promise<void> {
  if (event.affectsConfiguration("instantrace.path")) await startServer();
  else if (event.affectsConfiguration("instantrace"))
    await client?.sendNotification("workspace/didChangeConfiguration", { settings: { instantrace: settingsOfServer() } });
}

/** The page's own Content-Security-Policy lets nothing in but its scripts and styles. */
function showPage(html: string): void {
  if (!report) {
    report = vscode.window.createWebviewPanel("instantrace.report", "Instantrace report", vscode.ViewColumn.Active, {
      enableScripts: true,
      enableFindWidget: true,
      retainContextWhenHidden: true,
      localResourceRoots: [],
    });
    report.onDidDispose(() => (report = undefined));
  }
  report.webview.html = html;
  report.reveal();
}

async function openReport(storage: vscode.Uri): Promise<void> {
  await checkProgram("report");
  const page = vscode.Uri.joinPath(storage, "report.html").fsPath;
  await mkdir(storage.fsPath, { recursive: true });
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: "instantrace: writing the report",
    cancellable: true,
  };
  await vscode.window.withProgress(progress, async (_, cancellation) => {
    const stop = new AbortController();
    cancellation.onCancellationRequested(() => stop.abort());
    const named = session || setting<string>("session");
    // A workspace that is not trusted sets the session, so it must not be an option.
    await run(["report", "-o", page, ...(named ? ["--", named] : [])], stop.signal);
    if (!stop.signal.aborted) showPage(await readFile(page, "utf8"));
  });
}

async function recordBuild(): Promise<void> {
  const edited = vscode.window.activeTextEditor?.document.uri;
  const folder = (edited && vscode.workspace.getWorkspaceFolder(edited)) ?? vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error("open a folder to record a build of it");
  if (!vscode.workspace.isTrusted) throw new Error("a build is run in a trusted workspace only");
  await checkProgram("record");
  const command =
    setting<string>("buildCommand", folder.uri) ||
    (await vscode.window.showInputBox({
      prompt: "What builds the project (instantrace.buildCommand keeps it)",
      placeHolder: "ninja -C build",
    }));
  if (!command) return;
  // A task: its terminal stays when the build has ended, and nothing has to be quoted.
  const words = ["record", "--", "/bin/sh", "-c", command];
  const execution = new vscode.ProcessExecution(setting("path"), words, { cwd: folder.uri.fsPath });
  const task = new vscode.Task({ type: "instantrace" }, folder, "record a build", "Instantrace", execution);
  await vscode.tasks.executeTask(task);
}

export function activate(context: vscode.ExtensionContext): void {
  status = vscode.window.createStatusBarItem("instantrace.session", vscode.StatusBarAlignment.Left);
  status.name = "Instantrace";
  status.command = "instantrace.openReport";
  showSession("");
  status.show();
  // A build that is recorded in any terminal is shown when it ends.
  sessions = vscode.workspace.createFileSystemWatcher("**/session.json");
  const storage = context.storageUri ?? context.globalStorageUri;
  const command = (name: string, action: () => Promise<void>) =>
    vscode.commands.registerCommand(name, () => attempt(action));
  const change = (action: () => Promise<void>) => (changing = changing.then(() => attempt(action)));
  void change(startServer);
  context.subscriptions.push(
    status,
    sessions,
    command("instantrace.openReport", () => openReport(storage)),
    command("instantrace.recordBuild", recordBuild),
    vscode.workspace.onDidChangeConfiguration((event) => change(() => settingsChanged(event))),
  );
}

export function deactivate(): Promise<void> {
  return changing.then(stopServer);
}
