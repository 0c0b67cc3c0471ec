export type Role = 'button' | 'link' | 'heading' | 'field'
export type Size = { width: number; height: number }

/** How a new browser differs from the usual one. */
export interface Wishes {
  viewport?: Size
  /** IANA name; by default the association's. */
  timeZone?: string
  /** Text of a script that runs in each page before the page's own. */
  preload?: string
  /** Stand in for the site at these paths. */
  answers?: Answers
}

/** By path: called for each request, returns the answer; null closes the connection without one. */
export type Answers = Record<string, () => { status: number; body: unknown } | null>

/** A browser engine that a row meets. It opens one new browser, without any storage, after the other. */
export interface Engine {
  name: string
  version: string
  open(wishes?: Wishes): Promise<Tab>
  close(): Promise<void>
}

/** What a person does in a browser, in any engine. Every step waits for its element. */
export interface Tab {
  /** Resolves when the page is interactive. */
  open(address: string): Promise<void>
  /** Opens what has no scripts of the site. */
  openPlain(address: string): Promise<void>
  press(role: Role, name: RegExp): Promise<void>
  /** @param label of the field */
  fill(label: RegExp, text: string): Promise<void>
  /** Waits until it is visible. */
  see(role: Role, name: RegExp): Promise<void>
  /** Runs in the page; the function sees only what it is given. */
  run<R, W extends unknown[]>(work: (...words: W) => R, ...words: W): Promise<Awaited<R>>
  pathname(): Promise<string>
  /** Opens another tab of the same browser. */
  another(address: string): Promise<Tab>
  /** Errors since the last call. */
  takeTroubles(): Promise<string[]>
  /** Closes the browser. */
  leave(): Promise<void>
}

export const PATIENCE_MS = 20_000
