import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The audit log is filtered by the address that requests came from. */
export class AuditByAddress1790000000130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_log ADD KEY audit_log_by_ip (ip, created_at)')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_log DROP KEY audit_log_by_ip')
  }
}
