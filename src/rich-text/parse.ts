import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { type DefaultTreeAdapterMap, type TreeAdapter, defaultTreeAdapter, parseFragment } from 'parse5'

/** Markup that no person wrote: so much of it that reading it would hold up everybody else. */
export class TooMuchMarkup extends Error {
  override readonly name = 'TooMuchMarkup'
}

/** One for every letter of the longest text there is. Texts are not counted: there is at most one beside each node. */
const NODES_MAX = 20_000
const DEPTH_MAX = 100

/**
 * Reads HTML as browsers do. They open again what was left open, so that a few bytes may stand for millions of
 * elements: these, their attributes and their depth are counted while the tree grows.
 */
export const parseMarkup = (markup: string): Root => {
  const tree = parseFragment(markup, { treeAdapter: boundedTreeAdapter() })
  return fromParse5(tree) as Root
}

export const isTooMuchMarkup = (markup: string): boolean => {
  if (!markup.includes('<')) return false
  try {
    parseMarkup(markup)
    return false
  } catch (error) {
    if (error instanceof TooMuchMarkup) return true
    throw error
  }
}

const boundedTreeAdapter = (): TreeAdapter<DefaultTreeAdapterMap> => {
  let nodes = 0
  let depth = 0
  const count = (more: number) => {
    nodes += more
    if (nodes > NODES_MAX) throw new TooMuchMarkup()
  }

  return {
    ...defaultTreeAdapter,
    createElement: (name, namespace, attributes) => {
      count(1 + attributes.length)
      return defaultTreeAdapter.createElement(name, namespace, attributes)
    },
    createCommentNode: (data) => {
      count(1)
      return defaultTreeAdapter.createCommentNode(data)
    },
    onItemPush: () => {
      if (++depth > DEPTH_MAX) throw new TooMuchMarkup()
    },
    onItemPop: () => {
      depth--
    },
  }
}
