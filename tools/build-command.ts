import { buildSite } from './build.ts'

try {
  await buildSite({ log: (sentence) => console.log(sentence) })
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
