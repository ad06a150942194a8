"""A report in a real browser, for the tests of this folder.

with Page(FILE) as P: P.box("name"), P.text("#id"), P.click(...), P.keys(...)

Leaving it checks that the browser had nothing to complain about and asked for
nothing but the file. Chromium and its driver are ended by their ids, whatever
happens (the driver ends the browser that it has started).
"""

import json
import os
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.service import Service

# Names like these came up in no trace by chance.
sys.stdout.reconfigure(encoding="utf-8", errors="replace")


class Page:
    def __init__(self, File, Width=1280, Height=900, Dark=False, Motion=True, At="view=flame"):
        self.File = "file://" + os.path.abspath(File)
        self.At = "#" + At  # where it opens; with nothing, at its first screen
        self.Folder = tempfile.TemporaryDirectory()
        Options = webdriver.ChromeOptions()
        # The profile is ours, and nothing is looked up outside this machine.
        for Argument in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--disable-background-networking", "--disable-component-update", "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost", "--hide-scrollbars",
            "--user-data-dir=" + self.Folder.name, "--force-device-scale-factor=1",
        ):
            Options.add_argument(Argument)
        Options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.Driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=Options)
        Features = [{"name": "prefers-color-scheme", "value": "dark" if Dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "no-preference" if Motion else "reduce"}]
        self.Driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": Features})
        # A window is never as narrow as a telephone.
        self.Driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": Width, "height": Height, "deviceScaleFactor": 1, "mobile": False})

    def __enter__(self):
        try:
            # The browser opens with a page of its own, which is not judged.
            self.Driver.get("about:blank")
            self.Driver.get_log("performance")
            self.Driver.get(self.File + self.At)
            self.settle()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, Kind, *_):
        try:
            if Kind is None:
                self.checkQuiet()
        finally:
            self.end()

    def end(self):
        self.Driver.quit()
        self.Folder.cleanup()

    def checkQuiet(self):
        Complaints = self.Driver.get_log("browser")
        assert not Complaints, Complaints
        Asked = [json.loads(E["message"])["message"] for E in self.Driver.get_log("performance")]
        Asked = {M["params"]["request"]["url"] for M in Asked if M["method"] == "Network.requestWillBeSent"}
        assert Asked == {self.File}, Asked

    def run(self, Script, *Arguments):
        return self.Driver.execute_script(Script, *Arguments)

    def settle(self):
        """Waits for what the page draws with the next frame, and for no motion."""
        self.Driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 200)))")

    def find(self, Selector):
        return self.Driver.find_element(By.CSS_SELECTOR, Selector)

    def text(self, Selector):
        return self.run("return document.querySelector(arguments[0]).textContent", Selector)

    def texts(self, Selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", Selector)

    def click(self, Selector):
        self.find(Selector).click()
        self.settle()

    def boxes(self, Area="#flame"):
        """{text: (left, width, top) as parts of the whole and pixels}"""
        return {B[0]: tuple(B[1:]) for B in self.run(
            "const all = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [...document.querySelectorAll(arguments[0] + ' .box')].map(e => {"
            " const r = e.getBoundingClientRect();"
            " return [e.textContent, (r.left - all.left) / all.width, r.width / all.width, Math.round(r.top - all.top)] })", Area)}

    def box(self, Name, Area="#flame"):
        return next(E for E in self.Driver.find_elements(By.CSS_SELECTOR, Area + " .box")
                    if self.run("return arguments[0].textContent", E) == Name)

    def clickBox(self, Name, Area="#flame"):
        # At its corner: what is inside is drawn over the middle.
        Box = self.box(Name, Area)
        X, Y = 3 - Box.size["width"] // 2, 5 - Box.size["height"] // 2
        ActionChains(self.Driver).move_to_element_with_offset(Box, X, Y).click().perform()
        self.settle()

    def choose(self, Selector, Value):
        self.run("const s = document.querySelector(arguments[0]); s.value = arguments[1];"
                 "s.dispatchEvent(new Event('change', {bubbles: true}))", Selector, Value)
        self.settle()

    def type(self, Selector, Text):
        self.run("const s = document.querySelector(arguments[0]); s.value = arguments[1];"
                 "s.dispatchEvent(new Event('input', {bubbles: true}))", Selector, Text)
        self.settle()

    def keys(self, *Pressed):
        """By name (`ENTER`, `ARROW_DOWN`) or as a character."""
        Chain = ActionChains(self.Driver)
        for Key in Pressed:
            Chain.send_keys(getattr(Keys, Key, Key))
        Chain.perform()
        self.settle()

    def focused(self):
        return self.run("return document.activeElement.textContent || document.activeElement.id")

    def rows(self):
        """The table: a list of {column: text}."""
        return self.run("return [...document.querySelectorAll('#table tbody tr')].map(tr =>"
                        " Object.fromEntries([...tr.children].map(td => [td.dataset.key, td.textContent])))")

    def widerThanScreen(self):
        return self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
