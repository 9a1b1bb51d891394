import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import classes from './back-link.module.css'
import { BackIcon } from './icons.tsx'

const Anchor = ({ children, ...anchor }: ComponentPropsWithRef<'a'>) => (
  <a {...anchor} className={classes.back}>
    <BackIcon size={16} />
    {children}
  </a>
)

/** Above the title of a view: the way to the one it belongs to. */
export const BackLink = createLink(Anchor)
