import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { MigrationInterface, QueryRunner } from 'typeorm'

interface Called {
  workspace_id: string
  number: string
  at: Date
  /** Within the last days. */
  calls: string
}

const days = 30
/** A busy hour has this many times the calls of an average hour. */
const busyHour = 8

/** Which countries workspaces call, and how often in an hour; alerts of one country each. */
export class CalledCountries1790000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE called_countries (
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        country_code CHAR(2) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        first_called_at DATETIME(3) NOT NULL,
        hour_began DATETIME(3) NOT NULL,
        hour_calls INT UNSIGNED NOT NULL,
        usual_calls INT UNSIGNED NOT NULL,
        PRIMARY KEY (workspace_id, country_code),
        CONSTRAINT called_countries_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      ALTER TABLE alerts
        ADD COLUMN country_code CHAR(2) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
        DROP KEY alerts_once,
        ADD UNIQUE KEY alerts_once (workspace_id, kind, period_began, country_code)`)
    await this.learn(runner)
  }

  /** What has been called is not new, and as much as was called is usual. */
  private async learn(runner: QueryRunner): Promise<void> {
    // Five digits identify a country.
    const called = (await runner.query(`
      SELECT workspace_id, MIN(number) AS number, MIN(created_at) AS at,
        SUM(created_at > UTC_TIMESTAMP() - INTERVAL ${days} DAY) AS calls
      FROM call_legs WHERE gateway_id IS NOT NULL GROUP BY workspace_id, LEFT(number, 5)`)) as unknown as Called[]
    const countries = new Map<string, { first: Called; calls: number }>()
    for (const one of called) {
      const parsed = parsePhoneNumberFromString(`+${one.number}`)
      const country = parsed?.country ?? parsed?.getPossibleCountries()[0]
      if (!country) continue
      const key = `${one.workspace_id} ${country}`
      const known = countries.get(key)
      const first = known && known.first.at < one.at ? known.first : one
      countries.set(key, { first, calls: (known?.calls ?? 0) + Number(one.calls) })
    }
    const rows = [...countries].map(([key, { first, calls }]) => {
      const usual = Math.ceil((calls / days / 24) * busyHour)
      return [...key.split(' '), first.at, first.at, 0, usual]
    })
    for (let at = 0; at < rows.length; at += 1_000) {
      const some = rows.slice(at, at + 1_000)
      await runner.query(
        `INSERT IGNORE INTO called_countries VALUES ${some.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}`,
        some.flat(),
      )
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM alerts WHERE country_code <> ''")
    await runner.query(`
      ALTER TABLE alerts DROP KEY alerts_once, ADD UNIQUE KEY alerts_once (workspace_id, kind, period_began),
        DROP COLUMN country_code`)
    await runner.query('DROP TABLE called_countries')
  }
}
