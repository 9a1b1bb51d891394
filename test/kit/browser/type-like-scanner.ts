/** Runs in the page: the keys of an American keyboard, faster than any person. */
export const typeLikeScanner = `(text) => {
  const press = (key, code, shiftKey) => {
    const event = new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true })
    ;(document.activeElement ?? document.body).dispatchEvent(event)
  }
  for (const letter of text) {
    const isLetter = /[a-z]/i.test(letter)
    const code = isLetter ? 'Key' + letter.toUpperCase() : /\\d/.test(letter) ? 'Digit' + letter : 'Minus'
    press(letter, code, isLetter && letter === letter.toUpperCase())
  }
  press('Enter', 'Enter', false)
}`
