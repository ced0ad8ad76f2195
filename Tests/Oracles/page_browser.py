"""Opens web pages in headless Chromium.

    page_browser.py [--screenshots FOLDER] PAGE.html…

Prints one JSON object per page:

    console   what Chromium logs
    requests  the addresses that Chromium asks for besides the page itself
    overflow  by how many pixels the page is too wide at 1280 and at 390 pixels
    wrapped   the headings of columns that take more than one line on a phone
    axe       the violations that axe finds on a phone; of the first page and with --screenshots also
              on a wide screen in light and dark mode
    pages     how many pages Chromium prints on A4 and on Letter

Needs axe-selenium-python from PyPI, and chromium and chromedriver.
"""

import base64
import json
import pathlib
import re
import shutil
import sys

import axe_selenium_python
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations']}).then(r => done(
  r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(' | '))));
"""

WRAPPED = """
return [...document.querySelectorAll('thead th')].filter(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const tops = [...range.getClientRects()].map(box => box.top);
  return Math.max(...tops) - Math.min(...tops) > 5;
}).map(cell => cell.textContent);
"""


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    # A busy machine takes long.
    driver.set_page_load_timeout(600)
    driver.set_script_timeout(600)
    return driver


def show(driver, width, dark=False, height=900):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})


def overflow(driver):
    return driver.execute_script(
        "const e = document.documentElement; return Math.max(0, e.scrollWidth - e.clientWidth)")


def findings(driver, path, axe, pictures, isFirst):
    address = path.resolve().as_uri()
    driver.get("about:blank")
    driver.get_log("browser"), driver.get_log("performance")
    show(driver, 1280)
    driver.get(address)
    found = {"console": [entry["message"] for entry in driver.get_log("browser")]}
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    found["requests"] = [
        message["params"]["request"]["url"][:200]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
        and message["params"]["request"]["url"] != address
        and not message["params"]["request"]["url"].startswith("data:")]
    found["overflow"] = [overflow(driver)]
    found["axe"] = []
    screens = [(1280, False), (1280, True)] if isFirst or pictures else []
    for width, dark in screens + [(390, False)]:
        show(driver, width, dark)
        driver.execute_script("window.axe || (" + "function(){" + axe + "})()")
        found["axe"] += driver.execute_async_script(AXE)
        if pictures:
            driver.execute_script("window.scrollTo(0, 0)")
            name = f"{path.stem}-{width}-{'dark' if dark else 'light'}.png"
            driver.save_screenshot(str(pictures / name))
    found["overflow"].append(overflow(driver))
    found["wrapped"] = driver.execute_script(WRAPPED)
    show(driver, 1280)
    found["pages"] = []
    for name, width, height in [("a4", 8.27, 11.69), ("letter", 8.5, 11)]:
        printed = driver.execute_cdp_cmd(
            "Page.printToPDF",
            {"paperWidth": width, "paperHeight": height, "preferCSSPageSize": False,
             "printBackground": True})
        document = base64.b64decode(printed["data"])
        found["pages"].append(len(re.findall(rb"/Type\s*/Page\b(?!s)", document)))
        if pictures:
            (pictures / f"{path.stem}-{name}.pdf").write_bytes(document)
    return found


def main():
    arguments = sys.argv[1:]
    pictures = None
    if arguments[0] == "--screenshots":
        pictures = pathlib.Path(arguments[1])
        arguments = arguments[2:]
    folder = pathlib.Path(axe_selenium_python.__file__).parent
    axe = next(folder.rglob("axe.min.js")).read_text()
    driver = browser()
    try:
        for name in arguments:
            isFirst = name == arguments[0]
            print(json.dumps(findings(driver, pathlib.Path(name), axe, pictures, isFirst)))
    finally:
        driver.quit()


main()
