/** An iPhone or iPad, whatever its browser calls itself. */
const isApplePhone = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true)

/** There only what was put on the home screen keeps its data for longer than a week. */
export const needsHomeScreen = (): boolean => isApplePhone() && !isInstalled()
