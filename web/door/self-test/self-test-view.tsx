import { useSignal } from '@preact/signals'
import { wordsOf } from '../base/language.ts'
import { Panel } from '../base/panel.tsx'
import { type CheckName, type CheckResult, selfTestChecks } from './checks.ts'
import { words } from './words.ts'

export const SelfTestView = ({ playSound, onClose }: { playSound: () => boolean; onClose: () => void }) => {
  const w = wordsOf(words)
  const results = useSignal<Partial<Record<CheckName, CheckResult | 'running'>>>({})
  const checks = selfTestChecks(w.said, playSound)
  const run = async () => {
    results.value = {}
    for (const check of checks) {
      results.value = { ...results.value, [check.name]: 'running' }
      const checked = await check.run()
      results.value = { ...results.value, [check.name]: checked }
    }
  }
  return (
    <Panel title={w.title} close={w.back} onClose={onClose}>
      <p class="second">{w.intro}</p>
      <button type="button" class="main" onClick={() => void run()}>
        {w.run}
      </button>
      <div role="status">
        <ul class="checks">
          {checks.map(({ name }) => {
            const result = results.value[name]
            const isGood = result !== undefined && result !== 'running' && result.isGood
            return (
              <li
                key={name}
                data-check={name}
                data-good={result === undefined || result === 'running' ? undefined : isGood}
              >
                <strong>{w.checks[name]}</strong>{' '}
                {result === 'running'
                  ? w.running
                  : result && <em class={isGood ? 'good' : 'bad'}>{isGood ? w.good : w.bad}</em>}
                {result !== undefined && result !== 'running' && <small>{result.says}</small>}
              </li>
            )
          })}
        </ul>
      </div>
    </Panel>
  )
}
