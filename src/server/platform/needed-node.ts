/** The oldest that has all the server uses (`tools/setup.mjs` installs one for every npm script). */
const OLDEST_NODE = 26

// Imported first by what can be started without npm: an older Node would start and fail at the first event or feed.
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(
    `This needs Node ${OLDEST_NODE} or newer; this is ${process.versions.node}. Start it through npm (npm start, npm run admin), which installs one for this project, or install one from https://nodejs.org.\n`,
  )
  process.exit(1)
}
