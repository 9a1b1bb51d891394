import { type Root, createRoot } from 'react-dom/client'
import { ErrorState } from '../../ui/states.tsx'
import { connectionState } from '../../api/line.ts'
import { readSession } from '../../api/session.ts'
import { UiProvider, exposePageNonce } from '../../ui/provider.tsx'
import { currentLanguage } from '../../ui/words.ts'
import { App } from './app.tsx'
import classes from './frame.module.css'

const nonce = exposePageNonce()
document.documentElement.lang = currentLanguage()

/** Before anything is shown there is nothing to lose: whoever is signed out goes to sign in. */
const signInFirst = {
  wait: () => {
    location.replace(`/sign_in?return_to=${encodeURIComponent(location.pathname + location.search)}`)
    return new Promise<void>(() => {})
  },
}

const start = async (root: Root) => {
  try {
    const session = await readSession({
      fetch: (request) => fetch(request),
      gate: signInFirst,
      onLine: connectionState.set,
    })
    root.render(
      <UiProvider nonce={nonce}>
        <App session={session} />
      </UiProvider>,
    )
  } catch (error) {
    root.render(
      <UiProvider nonce={nonce}>
        <main className={classes.alone}>
          <ErrorState level={1} error={error} onRetry={() => void start(root)} />
        </main>
      </UiProvider>,
    )
  }
}

void start(createRoot(document.getElementById('root')!))
