export interface Shortcut {
  /** A key as KeyboardEvent names it, `mod+k` with ⌘ or Ctrl, or two keys in a row: `g e`. */
  keys: string
  label: string
  run: (event: KeyboardEvent) => void
  /** Works while somebody types, too. */
  whileTyping?: boolean
}

export interface ShortcutLayer {
  name: 'everywhere' | 'here'
  shortcuts: () => readonly Shortcut[]
}
