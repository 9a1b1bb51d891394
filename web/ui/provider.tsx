import { MantineProvider } from '@mantine/core'
import '@mantine/core/styles.css'
import type { ReactNode } from 'react'
import './base.css'
import { KeyboardProvider } from './keyboard.tsx'
import { pageNonce } from './nonce.ts'
import { cssVariablesResolver, theme } from './theme.ts'
import { Toasts } from './toasts.tsx'

/** What every view of a front stands in. The nonce is the one of the answer that brought the page. */
export const UiProvider = ({ nonce, children }: { nonce: string; children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <KeyboardProvider>{children}</KeyboardProvider>
    <Toasts />
  </MantineProvider>
)

/** For what writes style elements without asking anybody: the scroll lock beneath dialogs. */
export const exposePageNonce = (): string => {
  const nonce = pageNonce()
  Object.assign(globalThis, { __webpack_nonce__: nonce })
  return nonce
}
