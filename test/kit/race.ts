const AT_ONCE = 20

/** Works off the attempts, always so many of them under way. */
export const race = async (attempts: number, attempt: (n: number) => Promise<unknown>): Promise<void> => {
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < attempts) await attempt(next++)
    }),
  )
}
