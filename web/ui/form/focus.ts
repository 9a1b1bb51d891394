import { type RefObject, useEffect, useRef } from 'react'

/** A form that opens because somebody asked for it: the keyboard goes to its first field. */
export const useFocusOnFirstField = <Form extends HTMLElement = HTMLFormElement>(): RefObject<Form | null> => {
  const form = useRef<Form>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  return form
}
