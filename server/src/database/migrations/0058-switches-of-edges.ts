import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * What Kamailio knows of the switches, under the name that its module dispatcher knows: set 1 takes new calls; set 2 has all
 * switches, as calls on them may be up, and none of it is pinged (flag 4). A cell without a switch address has a Kamailio of
 * its own that knows the address.
 */
export class SwitchesOfEdges1790000000058 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SQL SECURITY DEFINER VIEW dispatcher AS
        SELECT 1 AS setid, CONCAT('sip:', switch_address) AS destination, 0 AS flags, 0 AS priority,
          CONCAT('duid=', name) AS attrs
        FROM cells
        WHERE switch_address <> '' AND is_up AND NOT is_draining AND beat_at > UTC_TIMESTAMP(3) - INTERVAL 6 SECOND
        UNION ALL
        SELECT 2, CONCAT('sip:', switch_address), 4, 0, CONCAT('duid=', name) FROM cells WHERE switch_address <> ''`)
    await runner.query(`INSERT INTO version VALUES ('dispatcher', 4)`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM version WHERE table_name = 'dispatcher'`)
    await runner.query('DROP VIEW dispatcher')
  }
}
