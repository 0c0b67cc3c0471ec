import { runCommand } from './admin/commands.ts'
import { ConfigError, readConfig } from './config/config.ts'

try {
  const config = readConfig(process.env)
  process.env['NODE_ENV'] = 'production'
  process.exitCode = await runCommand(process.argv.slice(2), config, (line) => void process.stdout.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : (error as Error).message}\n`)
  process.exitCode = 1
}
