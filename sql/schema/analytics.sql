-- Labels of codes, and what views of analysts share. The views are files of their own (sql/views).

create schema analytics;

create table analytics.codes (
    kind text,
    code text,
    label text not null,
    parent_code text,
    final boolean,
    stage text check (stage in ('pending', 'accepted', 'declined', 'canceled')),
    shares boolean,
    lowest_score integer,
    highest_score integer,
    giver text check (giver in ('receiver', 'sender', 'both')),
    primary key (kind, code)
);

-- What the service's public tables say (docs/service.md). Codes without a label are recorded when they are seen.
insert into analytics.codes (kind, code, label) values
    ('in_out_bound', 'IN', 'received'),
    ('in_out_bound', 'OUT', 'sent'),
    ('entity_type', 'BUSINESS', 'business'),
    ('entity_type', 'INDIVIDUAL', 'individual'),
    ('requirement_type', 'RTP_001', 'biometric face flow'),
    ('requirement_type', 'RTP_002', 'structured values'),
    ('requirement_type', 'RTP_003', 'images'),
    ('requirement_type', 'RTP_004', 'values or images'),
    ('requirement_type', 'RTP_005', 'values and images'),
    ('category', 'RQC_001', 'identity'),
    ('category', 'RQC_002', 'background'),
    ('category', 'RQC_003', 'document'),
    ('requirement', 'RQ_001', 'face authentication'),
    ('requirement', 'RQ_002', 'identity trust'),
    ('requirement', 'RQ_003', 'selfie'),
    ('requirement', 'RQ_004', 'personal information'),
    ('requirement', 'RQ_005', 'nationality'),
    ('requirement', 'RQ_006', 'identity document'),
    ('requirement', 'RQ_007', 'address'),
    ('time_unit', 'DAYS', 'days'),
    ('time_unit', 'HOURS', 'hours');

insert into analytics.codes (kind, code, label, giver) values
    ('activity_type', 'AT_001', 'request details', 'receiver'),
    ('activity_type', 'AT_002', 'share details', 'sender'),
    ('activity_type', 'AT_003', 'swap details', 'both'),
    ('activity_type', 'AT_004', 'authorization request', 'receiver');

insert into analytics.codes (kind, code, label, final, stage, shares) values
    ('status', 'ACCEPTED', 'approved in whole or in part', false, 'accepted', true),
    ('status', 'ACTION_REQUIRED', 'received, to be answered', false, 'pending', false),
    ('status', 'CANCELED', 'not answered in time', true, 'canceled', false),
    ('status', 'COMPLETED', 'finalised by both', true, 'accepted', true),
    ('status', 'DECLINED', 'refused', true, 'declined', false),
    ('status', 'EXPIRED', 'sharing period over', true, 'accepted', false),
    ('status', 'SENT', 'sent, not answered yet', false, 'pending', false);

insert into analytics.codes (kind, code, label, lowest_score, highest_score) values
    ('scoring_level', 'EXCELENT', 'excellent: 750 to 850', 750, 850),
    ('scoring_level', 'EXCELLENT', 'excellent: 750 to 850', 750, 850),
    ('scoring_level', 'FAIR', 'fair: 500 to 649', 500, 649),
    ('scoring_level', 'GOOD', 'good: 650 to 749', 650, 749),
    ('scoring_level', 'POOR', 'poor: 300 to 499', 300, 499);

insert into analytics.codes (kind, code, label, parent_code) values
    ('item', 'IDC_001', 'front image', 'RQ_006'),
    ('item', 'IDC_002', 'back image', 'RQ_006'),
    ('item', 'IDC_003', 'document information', 'RQ_006'),
    ('item', 'IDT_001', 'member since', 'RQ_002'),
    ('item', 'IDT_002', 'score', 'RQ_002'),
    ('item', 'IDT_003', 'score level', 'RQ_002'),
    ('item', 'IDT_004', 'verification time', 'RQ_002'),
    ('item', 'PIF_001', 'profile name', 'RQ_004'),
    ('item', 'PIF_002', 'full name', 'RQ_004'),
    ('item', 'PIF_003', 'surname', 'RQ_004'),
    ('item', 'PIF_004', 'given names', 'RQ_004'),
    ('item', 'PIF_005', 'birth date', 'RQ_004'),
    ('item', 'PIF_006', 'gender', 'RQ_004'),
    ('item', 'PIF_007', 'marital status', 'RQ_004');

create type analytics.known_activity as (
    id uuid,
    source text,
    known_from timestamptz,
    known_to timestamptz,
    type text,
    in_out_bound text,
    entity_id uuid,
    status text,
    time_zone text,
    valid_until timestamptz,
    attended_at timestamptz,
    completed_at timestamptz,
    expires_at timestamptz,
    created_at timestamptz,
    updated_at timestamptz,
    expires_in_time_unit text,
    expires_in_amount numeric,
    gone boolean
);

create function analytics.may_see_personal() returns boolean
language sql
stable
set search_path = pg_catalog
as $$
    select exists (
        select from pg_roles as role
        where role.rolname = 'analyst_personal' and pg_has_role(current_user, role.oid, 'member')
    ) or exists (
        select from pg_namespace as schema
        where schema.nspname = 'warehouse' and pg_has_role(current_user, schema.nspowner, 'member')
    )
$$;
