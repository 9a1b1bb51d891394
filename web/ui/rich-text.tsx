import { useMemo } from 'react'
import classes from './rich-text.module.css'

/** Links lead out of the page, and pictures to their whole size: what is being written beside them stays. */
const prepare = (html: string): string => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const link of body.querySelectorAll('a:not([download])')) {
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noreferrer')
  }
  for (const image of body.querySelectorAll('action-text-attachment > img')) {
    const link = document.createElement('a')
    link.href = image.getAttribute('src') ?? ''
    link.target = '_blank'
    link.rel = 'noreferrer'
    image.setAttribute('loading', 'lazy')
    image.replaceWith(link)
    link.append(image)
  }
  return body.innerHTML
}

/** A text as the server has cleaned it; the policy of the page would stop whatever that had missed. */
export const RichText = ({ html }: { html: string }) => {
  const prepared = useMemo(() => prepare(html), [html])
  // oxlint-disable-next-line react/no-danger
  return <div className={classes.text} dir="auto" dangerouslySetInnerHTML={{ __html: prepared }} />
}
