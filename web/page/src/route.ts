// Where one is, as the browser's history keeps it: every text that is opened is an entry,
// so that Back returns to the text before. The address holds what others can open (a
// shared recipe, a page of the library); the entry's state holds what is only here.

import type { Value } from "dicescript";

/** What an entry says beside its address. */
export interface Place {
  /** A file of the store. */
  file?: string;
  /** The start recipe, though files have been written. */
  start?: boolean;
  /** A text of the reference that is tried. */
  tried?: { name: string; text: string };
  /** Inputs that were moved in a text that is no file. */
  inputs?: Record<string, Value>;
}

export class Route {
  private last: string;

  /** Calls `arrive` when Back, Forward or a link has led to another entry. */
  constructor(arrive: () => void) {
    this.last = this.key();
    const moved = () => {
      if (this.key() === this.last) return; // one step gives popstate and hashchange
      this.last = this.key();
      arrive();
    };
    window.addEventListener("popstate", moved);
    window.addEventListener("hashchange", moved);
  }

  get place(): Place {
    return (history.state ?? {}) as Place;
  }

  /** Goes to an entry of its own, unless that is where one is. */
  visit(place: Place, hash = ""): void {
    const address = location.pathname + location.search + (hash && "#" + hash);
    if (key(hash && "#" + hash, place) === this.key()) return;
    history.pushState(place, "", address);
    this.last = this.key();
  }

  /** Says something else of the entry where one is; without a hash its address stays. */
  amend(place: Place, hash?: string): void {
    history.replaceState(place, "", hash === undefined ? location.href : location.pathname + location.search + (hash && "#" + hash));
    this.last = this.key();
  }

  private key(): string {
    return key(location.hash, this.place);
  }
}

/** Entries with one key show one text. */
function key(hash: string, { file, start, tried }: Place): string {
  return JSON.stringify([hash, file, start, tried]);
}
