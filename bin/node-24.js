// Foyer takes Node 24. This file is plain and old JavaScript, so that an older Node can say so instead of failing on
// something it does not know.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Foyer needs Node 24 or newer, and this is Node ${process.versions.node}: "npm ci" brings one along on Linux ` +
      '(x64 and arm64) for "npm start", "npm test" and "npm run"; elsewhere install it yourself.',
  )
  process.exit(1)
}
