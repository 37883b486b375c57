// What Foundry loads. The folder dicescript is dist/ of the package for JavaScript.

import { attach } from "./odds.mjs";
import { load } from "../dicescript/browser.js";

Hooks.once("ready", async () => attach(Hooks, await load()));
