import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Everything that is not the door itself lies above it, with one way back. */
export const Panel = ({
  title,
  close,
  onClose,
  children,
}: {
  title: string
  close: string
  onClose: () => void
  children: ComponentChildren
}) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section class="panel" aria-label={title}>
      <div class="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" onClick={onClose}>
          {close}
        </button>
      </div>
      {children}
    </section>
  )
}
