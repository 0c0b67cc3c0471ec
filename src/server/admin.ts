import './lib/required-node.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { failureCode, runCommand } from './admin/commands.ts'
import { ConfigError, readConfig } from './config/config.ts'

// `members list
// head` closes the pipe early: not an error, and the command still runs to completion.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// Like `npm start`, so that both use the same database; existing environment variables take precedence.
const envFile = resolve(import.meta.dirname, '../../.env')
if (existsSync(envFile)) process.loadEnvFile(envFile)

const args = process.argv.slice(2)
try {
  // A copy, since NODE_ENV changes below and providers stored in the console are read later.
  const config = readConfig({ ...process.env })
  process.env['NODE_ENV'] = 'production'
  process.exitCode = await runCommand(args, config, (line) => void process.stdout.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : (error as Error).message}\n`)
  process.exitCode = failureCode(args)
}
