// Files of a folder, as `dicescript serve` shows them: read once, saved back as
// they are written, and followed when others change them.

import type { Sheet, Store } from "./store.js";

/** Milliseconds without a key after which a text is saved. */
const saveAfter = 300;

export class FolderStore implements Store {
  onTrouble: (why: string) => void = () => {};
  onChange: (name: string) => void = () => {};
  readonly where: string;
  private readonly sheets = new Map<string, Sheet>();
  private readonly saving = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly lastKey: string;

  private constructor(folder: string) {
    this.where = `Files are those of the folder ${folder}, and are saved there as you type.`;
    this.lastKey = `dicescript/last/${folder}`;
  }

  static async open(folder: string): Promise<FolderStore> {
    const store = new FolderStore(folder);
    const files = (await (await fetch("./api/files")).json()) as Record<string, string>;
    for (const [name, text] of Object.entries(files)) store.sheets.set(name, { name, text, inputs: {}, at: 0 });
    const changes = new EventSource("./api/changes");
    changes.onmessage = (event) => store.changed(JSON.parse(event.data as string) as { name: string; text?: string });
    window.addEventListener("pagehide", () => {
      for (const name of store.saving.keys()) void store.save(name, true);
    });
    return store;
  }

  names(): string[] {
    return [...this.sheets.keys()].sort((a, b) => a.localeCompare(b));
  }

  read(name: string): Sheet | undefined {
    const sheet = this.sheets.get(name);
    return sheet && { ...sheet, inputs: { ...sheet.inputs } };
  }

  write(sheet: Sheet): void {
    const before = this.sheets.get(sheet.name);
    this.sheets.set(sheet.name, { ...sheet, inputs: { ...sheet.inputs } });
    if (before?.text === sheet.text) return;
    clearTimeout(this.saving.get(sheet.name));
    this.saving.set(sheet.name, setTimeout(() => void this.save(sheet.name), saveAfter));
  }

  remove(name: string): void {
    clearTimeout(this.saving.get(name));
    this.saving.delete(name);
    this.sheets.delete(name);
    void fetch(this.address(name), { method: "DELETE" }).then((r) => this.heed(r, name), () => this.onTrouble(`${name} could not be deleted: is dicescript serve still running?`));
  }

  get last(): string | undefined {
    return localStorage.getItem(this.lastKey) ?? undefined;
  }

  set last(name: string | undefined) {
    localStorage.setItem(this.lastKey, name ?? "");
  }

  private address(name: string): string {
    return "./api/files/" + name.split("/").map(encodeURIComponent).join("/");
  }

  private async save(name: string, leaving = false): Promise<void> {
    clearTimeout(this.saving.get(name));
    this.saving.delete(name);
    const sheet = this.sheets.get(name);
    if (!sheet) return;
    try {
      await this.heed(await fetch(this.address(name), { method: "PUT", body: sheet.text, keepalive: leaving && sheet.text.length < 60_000 }), name);
    } catch {
      this.onTrouble(`${name} could not be saved: is dicescript serve still running?`);
    }
  }

  private async heed(response: Response, name: string): Promise<void> {
    if (!response.ok) this.onTrouble(`${name}: ${await response.text()}`);
  }

  private changed({ name, text }: { name: string; text?: string }): void {
    if (this.saving.has(name)) return; // what is being written here is newer
    const before = this.sheets.get(name);
    if (text === undefined) this.sheets.delete(name);
    else this.sheets.set(name, { name, text, inputs: before?.inputs ?? {}, at: Date.now() });
    if (before?.text !== text) this.onChange(name);
  }
}
