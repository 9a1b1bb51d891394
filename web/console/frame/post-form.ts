import { forgetTypedTexts } from '../../ui/draft.ts'

/** Posts a form as the server's own pages do: signing out and switching accounts end this page. */
export const postForm = (action: string, fields: Record<string, string> = {}) => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = action
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  forgetTypedTexts()
  document.body.append(form)
  form.submit()
}
