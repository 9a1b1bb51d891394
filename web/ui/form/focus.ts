import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A form that opens because somebody asked for it: the keyboard is in its first field as soon as it can be seen. */
export const useFocusOnFirstField = <Form extends HTMLElement = HTMLFormElement>(): RefObject<Form | null> => {
  const form = useRef<Form>(null)
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  return form
}
