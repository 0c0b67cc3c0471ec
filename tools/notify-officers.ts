// Runs when a timer's unit failed (deploy/association-failed@.service).
import { hostname } from 'node:os'
import { readConfig } from '#server/config/config.ts'
import { sendAlertDirectly } from '#server/alerts/send-alert-directly.ts'

const unit = process.argv[2] ?? 'association'
const config = readConfig(process.env)
await sendAlertDirectly(config, `${unit} has failed`, [
  `On the server ${hostname()} of ${config.siteUrl} the unit ${unit} failed.`,
  `To see why, the webmaster can run: journalctl -u ${unit} -n 50`,
  'Its timer tries again. You get this email at most once a day.',
])
