// Makes the picture of the README from the real page.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { browse, host, settled } from "../test/browser.mjs";

const to = join(dirname(dirname(fileURLToPath(import.meta.url))), "picture.png");
const server = await host();
const { page, close } = await browse(server.url, { viewport: { width: 1280, height: 900 }, colorScheme: "light" });
await page.goto(server.url);
await settled(page);
const chart = page.locator('section[data-key^="damage"]');
await chart.getByLabel("Pin damage").click();
await page.locator('#inputs input[type="number"]').fill("13");
await page.waitForFunction(() => document.querySelectorAll(".curve.pinned").length === 1);
await page.locator(".look").getByText("At least").click();
await chart.locator('[data-outcome="9"]').hover();
await page.screenshot({ path: to });
await close();
await server.close();
console.log(to);
