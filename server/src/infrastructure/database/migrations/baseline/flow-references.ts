import { id } from './columns.js'

/** What call flows name: a row has one of the columns. The rows of what may be deleted all the same go with it. */
export const flowReferences: readonly string[] = [
  `
    CREATE TABLE call_flow_references (
      id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      call_flow_id ${id} NOT NULL,
      audio_id ${id} NULL,
      team_id ${id} NULL,
      agent_id ${id} NULL,
      voice_agent_id ${id} NULL,
      outbound_gateway_id ${id} NULL,
      phone_number_id ${id} NULL,
      extension_id ${id} NULL,
      KEY call_flow_references_flow (workspace_id, call_flow_id),
      KEY call_flow_references_audio_id (workspace_id, audio_id),
      KEY call_flow_references_outbound_gateway_id (workspace_id, outbound_gateway_id),
      KEY call_flow_references_agent_id (workspace_id, agent_id),
      KEY call_flow_references_team_id (workspace_id, team_id),
      KEY call_flow_references_voice_agent_id (workspace_id, voice_agent_id),
      KEY call_flow_references_extension_id (workspace_id, extension_id),
      KEY call_flow_references_phone_number_id (workspace_id, phone_number_id),
      CONSTRAINT call_flow_references_agent_id
        FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT call_flow_references_audio_id
        FOREIGN KEY (workspace_id, audio_id) REFERENCES audios (workspace_id, id),
      CONSTRAINT call_flow_references_extension_id
        FOREIGN KEY (workspace_id, extension_id) REFERENCES extensions (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT call_flow_references_flow
        FOREIGN KEY (workspace_id, call_flow_id) REFERENCES call_flows (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT call_flow_references_outbound_gateway_id
        FOREIGN KEY (workspace_id, outbound_gateway_id) REFERENCES outbound_gateways (workspace_id, id),
      CONSTRAINT call_flow_references_phone_number_id
        FOREIGN KEY (workspace_id, phone_number_id) REFERENCES phone_numbers (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT call_flow_references_team_id
        FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT call_flow_references_voice_agent_id
        FOREIGN KEY (workspace_id, voice_agent_id) REFERENCES voice_agents (workspace_id, id) ON DELETE CASCADE
    )`,
]
