/** The oldest Node with every feature the server uses (`tools/setup.mjs` installs one for npm scripts). */
const OLDEST_NODE = 26

// Imported first by entry points that can run without npm: an older Node would start and then fail at the first event or feed.
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(
    `This site needs Node ${OLDEST_NODE} or newer; this is ${process.versions.node}. Start it through npm (npm start, npm run admin), which installs one for this project, or install one from https://nodejs.org.\n`,
  )
  process.exit(1)
}
