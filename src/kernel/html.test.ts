import { expect, test } from 'vitest'
import { html, rawHtml } from './html.ts'

test('values are escaped in text and in attributes', () => {
  const name = `<b onclick='x'>"Zoë" & co</b>`
  expect(String(html`<p title="${name}">${name}</p>`)).toBe(
    '<p title="&lt;b onclick=&#39;x&#39;&gt;&quot;Zoë&quot; &amp; co&lt;/b&gt;">&lt;b onclick=&#39;x&#39;&gt;&quot;Zoë&quot; &amp; co&lt;/b&gt;</p>',
  )
})

test('markup nests without being escaped twice', () => {
  const items = ['a & b', 'c'].map((item) => html`<i>${item}</i>`)
  const list = html`<b>${items}</b>`
  expect(String(html`${list}${rawHtml('<hr>')}`)).toBe('<b><i>a &amp; b</i><i>c</i></b><hr>')
})

test('what is absent leaves nothing behind, and a zero stays', () => {
  expect(String(html`[${null}${undefined}${false}${''}${0}]`)).toBe('[0]')
})
