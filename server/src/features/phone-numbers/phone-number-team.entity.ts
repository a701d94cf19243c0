import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId } from '../../infrastructure/database/columns.js'

/** That a number is shared with a team: a team in use cannot go. */
@Entity('phone_number_teams')
export class PhoneNumberTeam {
  @Column(asciiId) workspace_id!: string
  @PrimaryColumn(asciiId) phone_number_id!: string
  @PrimaryColumn(asciiId) team_id!: string
  /** Its place in `shared_teams_id`, from 0. */
  @Column({ type: 'smallint', unsigned: true }) position!: number
}
