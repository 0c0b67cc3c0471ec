import type SMTPConnection from 'nodemailer/lib/smtp-connection'

type Done = (error?: Error | null) => void

/**
 * Runs one SMTP step, such as connecting, logging in or a reset. @throws if the server rejects it or the connection closes. nodemailer reports the latter
 * only by an event and never calls the callback.
 */
export async function runSmtpStep(connection: SMTPConnection, begin: (done: Done) => void): Promise<void> {
  let stopListening = () => {}
  try {
    await new Promise<void>((resolve, reject) => {
      const onEnd = () => reject(new Error('the connection was closed'))
      connection.on('error', reject)
      connection.on('end', onEnd)
      stopListening = () => connection.off('error', reject).off('end', onEnd)
      begin((error) => (error ? reject(error) : resolve()))
    })
  } finally {
    stopListening()
  }
}
