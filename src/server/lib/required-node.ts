// Imported first by entry points that can run without npm: without Temporal (Node 26), the site would start and then fail at the first event or feed.
if (!('Temporal' in globalThis)) {
  process.stderr.write(
    `This site needs Node 26 or newer, with Temporal; this is ${process.versions.node}. Start it through npm (npm start, npm run admin), which installs one for this project, or install one from https://nodejs.org.\n`,
  )
  process.exit(1)
}
