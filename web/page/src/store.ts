// Texts that people write. They are kept in the browser's storage, one entry for
// each file, and written at once: a page that is closed loses nothing.

import type { Value } from "dicescript";

export interface Sheet {
  name: string;
  text: string;
  /** Values that differ from what the recipe says. */
  inputs: Record<string, Value>;
  /** When it was written last, in milliseconds. */
  at: number;
}

/** Where files are: in the browser, or in a folder that `dicescript serve` shows. */
export interface Store {
  names(): string[];
  read(name: string): Sheet | undefined;
  write(sheet: Sheet): void;
  remove(name: string): void;
  /** Where files are, for people. */
  readonly where: string;
  /** The file that was open last. */
  last: string | undefined;
  /** What to say when writing fails; called at most once for a reason. */
  onTrouble: (why: string) => void;
  /** A file has been changed by somebody else. */
  onChange: (name: string) => void;
}

const prefix = "dicescript/file/";
const lastKey = "dicescript/last";

/** Files in the browser's storage; where there is none, in memory. */
export class BrowserStore implements Store {
  onTrouble: (why: string) => void = () => {};
  onChange: (name: string) => void = () => {};
  readonly where = "Files are kept in this browser and sent to nobody.";
  private readonly memory = new Map<string, string>();
  private troubled = false;

  constructor() {
    window.addEventListener("storage", (event) => {
      if (event.key?.startsWith(prefix)) this.onChange(event.key.slice(prefix.length));
    });
  }

  names(): string[] {
    const names: string[] = [];
    try {
      for (let i = 0; i < localStorage.length; i++) {
        const key = localStorage.key(i);
        if (key?.startsWith(prefix)) names.push(key.slice(prefix.length));
      }
    } catch {
      // no storage: what is in memory
    }
    for (const key of this.memory.keys()) if (key.startsWith(prefix)) names.push(key.slice(prefix.length));
    return [...new Set(names)].sort((a, b) => a.localeCompare(b));
  }

  read(name: string): Sheet | undefined {
    const text = this.get(prefix + name);
    if (text === undefined) return undefined;
    try {
      const { text: body, inputs, at } = JSON.parse(text) as Partial<Sheet>;
      return { name, text: String(body ?? ""), inputs: inputs ?? {}, at: Number(at ?? 0) };
    } catch {
      return { name, text, inputs: {}, at: 0 };
    }
  }

  write(sheet: Sheet): void {
    this.set(prefix + sheet.name, JSON.stringify({ text: sheet.text, inputs: sheet.inputs, at: sheet.at }));
  }

  remove(name: string): void {
    this.memory.delete(prefix + name);
    try {
      localStorage.removeItem(prefix + name);
    } catch {
      // no storage: nothing to remove
    }
  }

  get last(): string | undefined {
    return this.get(lastKey);
  }

  set last(name: string | undefined) {
    this.set(lastKey, name ?? "");
  }

  private get(key: string): string | undefined {
    if (this.memory.has(key)) return this.memory.get(key);
    try {
      return localStorage.getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  }

  private set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
      this.memory.delete(key);
    } catch {
      this.memory.set(key, value);
      if (!this.troubled) this.onTrouble("The browser's storage is full or switched off: what you write is lost when the page is closed. Download or share it.");
      this.troubled = true;
    }
  }
}

/** A name that no file has: "name", "name 2", "name 3", with its ending. */
export function freeName(store: Store, wanted: string): string {
  const clean = wanted.replace(/[/\\\u0000-\u001f]/g, "-").trim() || "recipe.star";
  const dot = clean.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, ""];
  const taken = new Set(store.names());
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem + ending : `${stem} ${n}${ending}`;
    if (!taken.has(name)) return name;
  }
}
