import type SMTPConnection from 'nodemailer/lib/smtp-connection'

type Done = (error?: Error | null) => void

/**
 * One step of a conversation with a mail server, such as connecting, a log-in or a reset. @throws when it is refused, or the connection ends meanwhile:
 * nodemailer tells that by an event alone and leaves the callback waiting for ever.
 */
export async function step(connection: SMTPConnection, begin: (done: Done) => void): Promise<void> {
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
