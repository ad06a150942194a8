#!/usr/bin/env python3
"""Puts the extension into an archive that VS Code installs: instantrace-VERSION.vsix.

usage: vsix.py, in the folder of the extension, when out/extension.js is there

It is what `vsce package` makes of these files. That is of npm, but its current version wants a
newer Node than Debian 12 has, and the last one that does not brings 126 packages.
"""

import glob
import json
import zipfile
from xml.sax.saxutils import escape, quoteattr

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
    <DisplayName>{displayName}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>{keywords}</Tags>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value={kind}/>
      <Property Id="Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown" Value="true"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""
CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""


def read(Path):
    with open(Path, encoding="utf-8") as File:
        return File.read()


def manifest(About):
    Texts = {N: escape(About[N]) for N in ("displayName", "description")}
    Values = {N: quoteattr(About[N]) for N in ("name", "version", "publisher")}
    return MANIFEST.format(
        **Texts, **Values, engine=quoteattr(About["engines"]["vscode"]), kind=quoteattr(",".join(About["extensionKind"])),
        keywords=escape(",".join(About["keywords"])), categories=escape(",".join(About["categories"])))


def notices():
    """The licences of what is bundled."""
    for Folder, Package in json.loads(read("package-lock.json"))["packages"].items():
        if Folder and not Package.get("dev"):
            [Licence] = glob.glob(Folder + "/[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*")
            yield "%s %s\n\n%s\n" % (Folder.removeprefix("node_modules/"), Package["version"], read(Licence))


def main():
    About = json.loads(read("package.json"))
    Files = {
        "extension.vsixmanifest": manifest(About),
        "[Content_Types].xml": CONTENT_TYPES,
        "extension/package.json": read("package.json"),
        "extension/README.md": read("README.md"),
        "extension/LICENSE.txt": read("LICENSE"),
        "extension/NOTICES.txt": "\n".join(notices()),
        "extension/extension.js": read("out/extension.js"),
    }
    with zipfile.ZipFile("%(name)s-%(version)s.vsix" % About, "w", zipfile.ZIP_DEFLATED) as Archive:
        for Name, Text in Files.items():
            # With a time that is always the same.
            Archive.writestr(zipfile.ZipInfo(Name), Text, zipfile.ZIP_DEFLATED)


main()
