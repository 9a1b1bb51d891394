/** The venue that every installation starts with, and that all examples speak of. */
export const DEMO_SHOP = 'kaispeicher'
export const DEMO_EVENT = 'winter-gala'
export const DEMO_OWNER = 'henrike@kaispeicher.example'

/** Who asks: the account by its write token, a member in their own browser, or a door device. */
export type ExampleCaller = 'account' | 'member' | 'device'

export interface ValueCapture {
  /** The value of this key, the first in the answer or the `nth`, … */
  key: string
  nth?: number
  /** … or the last before this text, … */
  upTo?: string
  /** … or only what of it comes after this, … */
  after?: string
  /** … goes by this name from here on. */
  as: string
}

export interface ExampleContent {
  body?: unknown
  form?: Readonly<Record<string, string>>
  /** A file, in base64 so that a line can hold it. */
  file?: { type: string; base64: string }
}

/** A call that comes before the example, and what of its answer the example needs. */
export interface PrecedingCall extends ExampleContent {
  /** A path of the console, or an address that was taken from an answer. */
  call: `${'GET' | 'POST' | 'PUT' | 'PATCH'} ${'/' | '$'}${string}`
  by?: ExampleCaller
  take?: readonly ValueCapture[]
}

/** What makes an endpoint's example work on the demo venue. `$name` in paths and bodies stands for what was taken. */
export interface ExampleSetup extends ExampleContent {
  before?: readonly PrecedingCall[]
  /** Parts of the path that are known beforehand. */
  values?: Readonly<Record<string, string>>
  query?: string
  by?: ExampleCaller
  /** What it answers there, where that is no success. */
  status?: number
}
