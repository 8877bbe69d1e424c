-- What the tables, columns and functions of schema warehouse mean. `pipeline migrate` applies this file when it changed.

comment on schema warehouse is
    'The mirrored activities, normalized. Column names are the service''s own field names. Instants are timestamptz.';

comment on table warehouse.entities is
    'Counterparts: the people and businesses that activities are about. The latest observation wins, whichever response (list or details) carried it.';
comment on column warehouse.entities.id is 'ID of the individual or business (entity.id).';
comment on column warehouse.entities.name is 'Display name (entity.name).';
comment on column warehouse.entities.cifcode is 'Profile ID (entity.cifcode).';
comment on column warehouse.entities.type is
    'Kind of entity, for example INDIVIDUAL or BUSINESS (entity.type). Open list.';
comment on column warehouse.entities.avatar is 'URL of the avatar image (entity.avatar).';
comment on column warehouse.entities.score is 'Score, usually 300 to 850 (entity.score).';
comment on column warehouse.entities.scoring_level is
    'Level of the score, for example GOOD (entity.scoring_level). Open list.';
comment on column warehouse.entities.unregistered is
    'True when the entity is not registered, or no longer registered (entity.unregistered).';
comment on column warehouse.entities.unregistered_at is
    'Ours: when a response first said that the entity is not registered any more. Null: it is registered, or never said otherwise.';
comment on column warehouse.entities.created_at is
    'When the entity was created (entity.created_at, from epoch ms).';
comment on column warehouse.entities.digest is
    'Ours: digest of the stored observation. An observation with the same digest is not written again.';
comment on column warehouse.entities.observed_at is
    'Ours: when the response with this observation was received. An older response never overwrites it.';

comment on table warehouse.entity_social_media is
    'Social media links of an entity, in the order received.';
comment on column warehouse.entity_social_media.entity_id is 'The entity (warehouse.entities).';
comment on column warehouse.entity_social_media.position is
    'Position in entity.social_media, from 0.';
comment on column warehouse.entity_social_media.media is
    'Name of the network, for example X (social_media.media). Open list.';
comment on column warehouse.entity_social_media.url is
    'URL of the profile (social_media.url).';

comment on table warehouse.entity_scores is
    'Every score seen for a counterpart: one row each time it differs from the one before. Ours: the service tells only the latest score.';
comment on column warehouse.entity_scores.entity_id is 'The counterpart (warehouse.entities).';
comment on column warehouse.entity_scores.observed_at is
    'When the first response with this score was received.';
comment on column warehouse.entity_scores.score is 'Score, usually 300 to 850 (entity.score).';
comment on column warehouse.entity_scores.scoring_level is
    'Level of the score (entity.scoring_level). Open list.';

comment on table warehouse.activities is
    'One row per activity: a request, share, swap or authorization between the business and a counterpart.';
comment on column warehouse.activities.id is 'Activity ID (id).';
comment on column warehouse.activities.type is
    'Code of the activity type, for example AT_001 (type). Labels: analytics.codes. Open list.';
comment on column warehouse.activities.type_name is
    'Name of the activity type in the service''s words (type_name).';
comment on column warehouse.activities.in_out_bound is
    'IN: received from another member. OUT: sent (in_out_bound). Open list.';
comment on column warehouse.activities.entity_id is
    'The counterpart (entity.id). Null when the service sends none.';
comment on column warehouse.activities.description is
    'Message delivered to the receiver (description).';
comment on column warehouse.activities.status is
    'Status of the activity (status). Labels, and which ones are final: analytics.codes. Open list.';
comment on column warehouse.activities.notification_message is
    'Message delivered to the sender (notification_message).';
comment on column warehouse.activities.time_zone is
    'Time zone of the activity, usually an IANA name, as received (time_zone).';
comment on column warehouse.activities.valid_until is
    'When the activity becomes CANCELED if nobody answers (valid_until, from epoch ms).';
comment on column warehouse.activities.attended_at is
    'When the counterpart accepted or declined (attended_at, from epoch ms). Null before that; the service sends 0 then.';
comment on column warehouse.activities.completed_at is
    'When the activity became COMPLETED (completed_at, from epoch ms). Null before that; the service sends 0 then.';
comment on column warehouse.activities.expires_at is
    'When the shared data stop being available (expires_at, from epoch ms). Null while that is not known; the service sends 0 then.';
comment on column warehouse.activities.created_at is
    'When the activity was created (created_at, from epoch ms).';
comment on column warehouse.activities.updated_at is
    'When the service last updated the activity (updated_at, from epoch ms). Only details have it.';
comment on column warehouse.activities.expires_in_time_unit is
    'Unit of the sharing period, for example HOURS (expires_in.time_unit). Open list.';
comment on column warehouse.activities.expires_in_amount is
    'Length of the sharing period in that unit (expires_in.amount).';
comment on column warehouse.activities.first_seen_at is
    'Ours: when a response first contained this activity.';
comment on column warehouse.activities.details_fetched_at is
    'Ours: when the stored details were first received in this form. Null: listed, but no details stored yet.';
comment on column warehouse.activities.gone_at is
    'Ours: when we found, on evidence, that the service no longer offers the activity. Null: still offered.';
comment on column warehouse.activities.values_erased_at is
    'Ours: when the shared values of this activity were erased; sync.erasures has the reason. Null: not erased.';
comment on column warehouse.activities.personal_erased_at is
    'Ours: when all that is personal was erased, because the activity ended long ago (ACTIVITIES_KEEP_PERSONAL_MONTHS). Null: not erased.';

comment on table warehouse.requirements is
    'Requirements that were requested, accepted or declined: one row per element of these three arrays of an activity''s details.';
comment on column warehouse.requirements.activity_id is 'The activity (warehouse.activities).';
comment on column warehouse.requirements.disposition is
    'Array that holds the element: requested (requirements), accepted (accepted_requirements) or declined (declined_requirements).';
comment on column warehouse.requirements.position is
    'Position in its array, from 0, in the order received.';
comment on column warehouse.requirements.code is
    'Requirement code, for example RQ_001 (code). Labels: analytics.codes. Open list.';
comment on column warehouse.requirements.type is
    'Requirement type, for example RTP_001 (type). Only accepted requirements have it. Open list.';
comment on column warehouse.requirements.category is
    'Requirement category, for example RQC_001 (category). Only accepted requirements have it. Open list.';
comment on column warehouse.requirements.value is
    'The shared value (data.value). Only accepted requirements have it.';

comment on table warehouse.requirement_items is
    'Items of requested and declined requirements: one row per element of items.';
comment on column warehouse.requirement_items.activity_id is 'The activity (warehouse.activities).';
comment on column warehouse.requirement_items.disposition is
    'requested or declined, as in warehouse.requirements.';
comment on column warehouse.requirement_items.requirement_position is
    'Position of the requirement in its array, from 0.';
comment on column warehouse.requirement_items.position is
    'Position in items, from 0, in the order received.';
comment on column warehouse.requirement_items.code is
    'Item code, for example IDT_001 (items.code). Labels: analytics.codes. Open list.';

comment on table warehouse.accepted_items is
    'Items of accepted requirements with the shared values: one row per element of items.';
comment on column warehouse.accepted_items.activity_id is 'The activity (warehouse.activities).';
comment on column warehouse.accepted_items.requirement_position is
    'Position of the requirement in accepted_requirements, from 0.';
comment on column warehouse.accepted_items.position is
    'Position in items, from 0, in the order received.';
comment on column warehouse.accepted_items.requirement_code is
    'Code of the requirement that holds the item (accepted_requirements.code).';
comment on column warehouse.accepted_items.code is
    'Item code, for example PIF_001 (items.code). Labels: analytics.codes. Open list.';
comment on column warehouse.accepted_items.type is
    'Item type, for example RTP_001 (items.type). Open list.';
comment on column warehouse.accepted_items.value is
    'The shared value (items.data.value).';

comment on table warehouse.kept_decisions is
    'Decisions that earlier answers showed and the newest one does not: who accepted or declined which requirement or item. What is shown stands in requirements and accepted_items.';
comment on column warehouse.kept_decisions.activity_id is 'The activity (warehouse.activities).';
comment on column warehouse.kept_decisions.position is 'Number of the decision in its activity, from 0, in the order of codes.';
comment on column warehouse.kept_decisions.requirement_code is 'Requirement code, for example RQ_001. Labels: analytics.codes.';
comment on column warehouse.kept_decisions.requirement_occurrence is
    'Which requirement of that code it is in its array, from 0.';
comment on column warehouse.kept_decisions.item_code is
    'Item code, for example PIF_001. Null: an item without a code; or the requirement itself, see item_occurrence.';
comment on column warehouse.kept_decisions.item_occurrence is
    'Which item of that code it is in its requirement, from 0. Null: the decision is about the requirement itself.';
comment on column warehouse.kept_decisions.decision is 'accepted (also: given in a share) or declined.';
comment on column warehouse.kept_decisions.decided_by is
    'us: of a received activity. them: of a sent one. Null: the direction is not known.';
comment on column warehouse.kept_decisions.type is
    'Type of what was accepted, for example RTP_001. Null: declined.';
comment on column warehouse.kept_decisions.category is
    'Category of the requirement that was accepted, for example RQC_001. Null: declined, or an item.';
comment on column warehouse.kept_decisions.asked is
    'True when the answer that last showed it requested it, too. A requirement without any such item asks for all items.';
comment on column warehouse.kept_decisions.shown_from is 'When the first answer that shows it was received.';
comment on column warehouse.kept_decisions.shown_until is
    'When the first answer that no longer shows it was received.';

comment on table warehouse.timeline_events is
    'Status changes of an activity: one row per element of timeline.';
comment on column warehouse.timeline_events.activity_id is 'The activity (warehouse.activities).';
comment on column warehouse.timeline_events.position is
    'Position in timeline, from 0, in the order received.';
comment on column warehouse.timeline_events.status is
    'Status that the activity entered (timeline.status). Open list.';
comment on column warehouse.timeline_events.date_time is
    'When it entered the status (timeline.date_time, ISO 8601). A time without an offset is read in the activity''s time_zone, else in UTC.';
comment on column warehouse.timeline_events.message is 'Message of the service (timeline.message).';
comment on column warehouse.timeline_events.http_request_id is
    'The service''s request that caused the change (timeline.http_request_id).';

comment on table warehouse.authorization_requests is
    'Authorizations to create (docs/service.md 4.2). Each request is sent once. An INSERT needs only description, phone and requirements. Personal.';
comment on column warehouse.authorization_requests.id is
    'ID of the request. Ours: the service never sees it.';
comment on column warehouse.authorization_requests.reference is
    'Name that the writer gives to the request. Unique: a second request with the same reference is not sent.';
comment on column warehouse.authorization_requests.description is
    'Message delivered to the receiver (description).';
comment on column warehouse.authorization_requests.phone_country_code is
    'Country of the receiver''s phone number, two letters (phone.phone_country_code).';
comment on column warehouse.authorization_requests.phone_number is
    'Phone number of the receiver in E.164, for example +51999888777. A run rewrites a number written otherwise.';
comment on column warehouse.authorization_requests.validity_time_unit is
    'Unit of validity_amount, for example HOURS (validity_threshold.time_unit). Null: the service''s default period.';
comment on column warehouse.authorization_requests.validity_amount is
    'How long the receiver can answer, in that unit (validity_threshold.amount).';
comment on column warehouse.authorization_requests.requirements is
    'What is requested, in the form of the service (requirements): [{"code": "RQ_002", "items": [{"code": "IDT_001"}]}].';
comment on column warehouse.authorization_requests.state is
    'queued: will be sent. sending: the call is under way, or its process died. sent: created (201). linked: the created activity is found. rejected: refused by the service. unknown: nobody knows whether it was created. failed: not sent, or given up by a person.';
comment on column warehouse.authorization_requests.state_reason is
    'Why the request is in this state, with the body of a rejection (phone number masked).';
comment on column warehouse.authorization_requests.requested_at is 'When the request was inserted.';
comment on column warehouse.authorization_requests.sent_at is
    'When the last call began, by the service''s clock. Null: never called, or the call had no effect.';
comment on column warehouse.authorization_requests.answered_at is
    'When the service answered that call, or it was given up, or its process was found dead, by the service''s clock. The person''s answer: analytics.authorization_outcomes.attended_at.';
comment on column warehouse.authorization_requests.activity_id is
    'The activity that the request created (warehouse.activities.id). A later sync can bring the activity itself.';
comment on column warehouse.authorization_requests.attempts is 'Number of calls begun, without calls that certainly had no effect when they were answered.';
comment on column warehouse.authorization_requests.candidates is
    'Activities that may be the created one, while that is not certain: [{"activity_id", "created_at", "status", "text", "counterpart"}].';
comment on column warehouse.authorization_requests.next_look_at is
    'When a run next looks for the created activity. Null: nothing to look for, or a person decides (pipeline authorize resolve).';
comment on column warehouse.authorization_requests.source is
    'Name of the file that the request came from. Null: inserted by SQL.';
comment on column warehouse.authorization_requests.digest is
    'Digest of a file''s line without reference. The same line is not sent a second time.';
comment on column warehouse.authorization_requests.counterpart_id is
    'Counterpart of the created activity (entity.id): the person whom the number belongs to.';
comment on column warehouse.authorization_requests.resolved_from is
    'State before a person ended it. Null: no person decided, or the state was not open.';

comment on column warehouse.authorization_requests.message_reference is
    'Reference in the message, by which the created activity is recognised. Unique. Null: not given yet.';
comment on column warehouse.authorization_requests.subscriber is
    'The person whom the number reaches: one number in E.164 for all forms of it. Null: not read yet.';
comment on column warehouse.authorization_requests.more_activity_ids is
    'Further activities that the service created for the same call. They carry its reference and have its counterpart.';
comment on function warehouse.was_asked(asked_number text, within_days integer, besides uuid) is
    'Whether a person was asked, or may have been, within some days by another request than this one.';
comment on function warehouse.guard_authorization_request() is
    'Allows only the state changes that are listed in it, refuses to change a request that may have been sent, and fails a new one whose person was asked lately.';
comment on function warehouse.keep_authorization_requests() is
    'Refuses to delete a request that may have been sent, and to truncate the table.';

comment on function warehouse.keep_unregistered_at() is
    'Sets unregistered_at of the counterparts just written: when they were first seen unregistered.';
comment on function warehouse.keep_score() is
    'Copies the scores of counterparts just written into warehouse.entity_scores.';
