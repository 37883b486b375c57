// Links that hold a whole recipe with its inputs, in the fragment, which browsers
// send to nobody: #r= and base64url of deflated JSON.

import type { Value } from "dicescript";

export interface Linked {
  name: string;
  text: string;
  inputs: Record<string, Value>;
}

/** A link unpacks to at most so many bytes: more than a recipe may have. */
const mostBytes = 1 << 20;

/** The fragment that holds a recipe, without the #. */
export async function toFragment(linked: Linked): Promise<string> {
  const inputs = Object.keys(linked.inputs).length > 0 ? { i: linked.inputs } : {};
  const json = JSON.stringify({ n: linked.name, t: linked.text, ...inputs });
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return "r=" + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The recipe that a fragment holds; undefined when it holds none. A damaged one is an error. */
export async function fromFragment(fragment: string): Promise<Linked | undefined> {
  const packed = fragment.replace(/^#/, "").match(/^r=([\w-]+)$/)?.[1];
  if (packed === undefined) return undefined;
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const { n, t, i } = JSON.parse(await inflated(bytes)) as { n?: unknown; t?: unknown; i?: unknown };
  if (typeof t !== "string") throw new Error("the link holds no recipe");
  const inputs: Record<string, Value> = {};
  if (i && typeof i === "object") {
    for (const [name, value] of Object.entries(i)) {
      if (["string", "number", "boolean"].includes(typeof value)) inputs[name] = value as Value;
    }
  }
  return { name: typeof n === "string" && n !== "" ? n.slice(0, 100) : "shared.star", text: t, inputs };
}

/** Inflates bytes, no more of them than a recipe may have: a link may be made to do harm. */
async function inflated(bytes: Uint8Array): Promise<string> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > mostBytes) throw new Error("the link holds more than a recipe may have");
    text += decoder.decode(value, { stream: true });
  }
}
