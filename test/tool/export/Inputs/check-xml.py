"""Parses XML and prints each element: its path, and its attributes or text.

usage: check-xml.py FILE
"""

import sys
import xml.etree.ElementTree as ElementTree


def show(Element, Path):
    Path += "/" + Element.tag.split("}")[-1]
    Text = (Element.text or "").strip()
    print(Path, *("%s=%s" % Item for Item in Element.items()), *([Text] if Text else []))
    for Child in Element:
        show(Child, Path)


show(ElementTree.parse(sys.argv[1]).getroot(), "")
