import { buildSite, linkBuild } from './build.ts'

try {
  const { directory } = await buildSite({ log: (sentence) => console.log(sentence) })
  console.log(`Built: ${linkBuild(directory)}`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
