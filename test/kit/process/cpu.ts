/** What was computed meanwhile, in microseconds of a core: how busy the machine is changes from one moment to the next. */
export const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
