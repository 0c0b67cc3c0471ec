import { setImmediate as nextTurn } from 'node:timers/promises'
import { SqliteDialect, type DatabaseConnection, type Driver } from 'kysely'

/** Statements that follow each other this long give way, so that requests in between are answered. */
const TURN_MS = 10

/**
 * SQLite answers at once, so that many statements one after the other, awaited or not, would hold the whole process up. Here everything else has its turn between
 * two of them. A transaction keeps the connection meanwhile, as ever.
 */
export class PacedSqliteDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const paced = new WeakSet<DatabaseConnection>()
    const acquire = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async (...options) => {
      const connection = await acquire(...options)
      if (!paced.has(connection)) giveWay(connection)
      paced.add(connection)
      return connection
    }
    return driver
  }
}

function giveWay(connection: DatabaseConnection): void {
  let turnBeganAt: number | null = null
  const execute = connection.executeQuery.bind(connection)
  connection.executeQuery = async (...query) => {
    if (turnBeganAt === null) {
      turnBeganAt = performance.now()
      setImmediate(() => (turnBeganAt = null))
    } else if (performance.now() - turnBeganAt > TURN_MS) {
      await nextTurn()
    }
    return execute(...query)
  }
}
