/** Whether a name has every word that was typed, whatever the accents. */
export const matchesText = (name: string, text: string): boolean => {
  const [plainName, words] = [plain(name), plain(text).split(/\s+/)]
  return words.every((word) => plainName.includes(word))
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()
