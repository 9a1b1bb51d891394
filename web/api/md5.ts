/** The sums of RFC 1321, because browsers have no MD5 and uploads are announced with one. */
const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const SINES = Uint32Array.from({ length: 64 }, (_, n) => Math.floor(Math.abs(Math.sin(n + 1)) * 2 ** 32))

const BLOCK = 64

/** The MD5 of some bytes, in Base64. */
export const md5Base64 = (bytes: Uint8Array): string => {
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476])
  const whole = bytes.length - (bytes.length % BLOCK)
  const words = new Uint32Array(16)
  const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < whole; at += BLOCK) addBlock(state, readWords(words, source, at))

  const tail = new Uint8Array(bytes.length - whole < 56 ? BLOCK : 2 * BLOCK)
  tail.set(bytes.subarray(whole))
  tail[bytes.length - whole] = 0x80
  const end = new DataView(tail.buffer)
  end.setBigUint64(tail.length - 8, BigInt(bytes.length) * 8n, true)
  for (let at = 0; at < tail.length; at += BLOCK) addBlock(state, readWords(words, end, at))

  const digest = new DataView(new ArrayBuffer(16))
  for (const [n, word] of state.entries()) digest.setUint32(n * 4, word, true)
  return btoa(String.fromCharCode(...new Uint8Array(digest.buffer)))
}

const readWords = (words: Uint32Array, source: DataView, at: number): Uint32Array => {
  for (let n = 0; n < 16; n++) words[n] = source.getUint32(at + n * 4, true)
  return words
}

const addBlock = (state: Uint32Array, words: Uint32Array): void => {
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  for (let n = 0; n < 64; n++) {
    const round = n >> 4
    const mixed =
      round === 0 ? (b & c) | (~b & d) : round === 1 ? (d & b) | (~d & c) : round === 2 ? b ^ c ^ d : c ^ (b | ~d)
    const index = round === 0 ? n : round === 1 ? (5 * n + 1) & 15 : round === 2 ? (3 * n + 5) & 15 : (7 * n) & 15
    const sum = (a + mixed + SINES[n]! + words[index]!) | 0
    const shift = SHIFTS[round * 4 + (n & 3)]!
    a = d
    d = c
    c = b
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
}
