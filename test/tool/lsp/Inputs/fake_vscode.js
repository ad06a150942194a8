// As much of the module `vscode` as our extension and its client use. What is not here is a class
// that keeps what it is made of, an event that never comes, or a registration that does nothing.
// What a test asks it for is in `fake`.
const assert = require("assert");
const fs = require("fs");
const path = require("path");

class Disposable {
  constructor(dispose) {
    this.dispose = dispose ?? (() => {});
  }
  static from(...all) {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }
}

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener, self) => {
      const bound = listener.bind(self);
      this.listeners.add(bound);
      return new Disposable(() => this.listeners.delete(bound));
    };
  }
  fire(value) {
    for (const listener of [...this.listeners]) listener(value);
  }
  dispose() {}
}

class CancellationTokenSource {
  constructor() {
    const emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
    this.cancel = () => emitter.fire();
  }
  dispose() {}
}

class Uri {
  constructor(filePath) {
    Object.assign(this, { scheme: "file", path: filePath, fsPath: filePath });
  }
  toString() {
    return "file://" + this.path;
  }
  static parse(text) {
    return new Uri(text.replace("file://", ""));
  }
  static file(filePath) {
    return new Uri(filePath);
  }
  static joinPath(uri, ...parts) {
    return new Uri(path.join(uri.path, ...parts));
  }
}

// Enumerators are their names.
const names = new Proxy({}, { get: (_, name) => name });

const fake = {
  settings: {}, // those that are set; others have the defaults that the extension declares
  folderSettings: {}, // "FOLDER NAME", those of a folder of the workspace
  about: null, // its package.json
  providers: {}, // by the name of what registered them
  commands: {},
  executed: [], // commands of the editor itself
  messages: [], // [text, buttons...]
  choose: () => undefined, // what is answered to a message
  input: undefined, // what is answered to a question
  isCancelling: false, // whatever shows its progress
  tasks: [],
  panels: [],
  status: null,
  configured: new EventEmitter(),
  files: new EventEmitter(),
  set(name, value) {
    fake.settings["instantrace." + name] = value;
    fake.configured.fire({ affectsConfiguration: (part) => ("instantrace." + name + ".").startsWith(part + ".") });
  },
};

function setting(name, otherwise) {
  const declared = fake.about.contributes.configuration.properties[name];
  return fake.settings[name] ?? declared?.default ?? otherwise;
}

function orElse(known, unknown) {
  return Object.setPrototypeOf(known, new Proxy({}, { get: (_, name) => unknown(name) }));
}

const noEvent = () => new Disposable();
const showMessage = async (...parts) => {
  fake.messages.push(parts);
  return fake.choose(...parts);
};

const workspace = orElse(
  {
    isTrusted: true,
    workspaceFolders: [{ name: "here", index: 0, uri: new Uri(process.cwd()) }],
    textDocuments: [],
    notebookDocuments: [],
    getConfiguration: (section, scope) => ({
      get: (name, otherwise) => fake.folderSettings[`${scope?.path} ${section}.${name}`] ?? setting(`${section}.${name}`, otherwise),
    }),
    getWorkspaceFolder: (uri) => workspace.workspaceFolders.find((folder) => uri.path.startsWith(folder.uri.path + "/")),
    asRelativePath: (filePath) => path.relative(process.cwd(), filePath),
    onDidChangeConfiguration: fake.configured.event,
    createFileSystemWatcher: () => ({ onDidCreate: fake.files.event, onDidChange: noEvent, onDidDelete: noEvent, dispose() {} }),
  },
  () => noEvent,
);

const window = orElse(
  {
    tabGroups: { all: [], onDidChangeTabs: noEvent },
    activeTextEditor: undefined,
    showErrorMessage: showMessage,
    showInputBox: async () => fake.input,
    createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {} }),
    createStatusBarItem: () => (fake.status = { show() {}, dispose() {} }),
    createWebviewPanel(type, title, column, options) {
      const panel = { options, webview: { html: "" }, onDidDispose: noEvent, reveal() {} };
      fake.panels.push(panel);
      return panel;
    },
    withProgress: (options, task) =>
      task(
        { report() {} },
        { onCancellationRequested: (stop) => void (fake.isCancelling && options.cancellable && setImmediate(stop)) },
      ),
  },
  () => noEvent,
);

const languages = orElse({ match: () => 1 }, (name) => (selector, provider) => {
  fake.providers[name] = provider;
  return new Disposable();
});

const commands = {
  registerCommand: (name, action) => {
    assert(!(name in fake.commands), name);
    fake.commands[name] = action;
    return { dispose: () => delete fake.commands[name] };
  },
  executeCommand: async (...words) => void fake.executed.push(words),
};

const tasks = { executeTask: async (task) => void fake.tasks.push(task) };

module.exports = orElse(
  { __esModule: true, fake, version: "1.82.0", env: {}, Disposable, EventEmitter, CancellationTokenSource, Uri, workspace, window, languages, commands, tasks, CodeActionKind: names, ViewColumn: names, StatusBarAlignment: names, ProgressLocation: names },
  (name) => {
    // The client inherits from some of these, and each has to be the same whenever it asks.
    const Made = class {
      constructor(...given) {
        this.given = given;
      }
    };
    module.exports[name] = Made;
    return Made;
  },
);

fake.open = (filePath) => {
  const text = fs.readFileSync(filePath, "utf8");
  const document = { uri: new Uri(filePath), languageId: "cpp", version: 1, isClosed: false, getText: () => text };
  workspace.textDocuments.push(document);
  return document;
};
