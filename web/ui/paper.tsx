import { type ReactNode, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import classes from './paper.module.css'

/** Shown on paper alone: the browser is asked to print it as soon as it is there. */
export const Paper = ({ children, onDone }: { children: ReactNode; onDone: () => void }) => {
  const done = useRef(onDone)
  useEffect(() => {
    const finish = () => done.current()
    window.addEventListener('afterprint', finish, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', finish)
  }, [])
  return createPortal(<div className={classes.paper}>{children}</div>, document.body)
}
