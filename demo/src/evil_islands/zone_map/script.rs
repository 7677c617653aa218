//! The script of the zone: three small quests, in the language that such maps are scripted in.

/// The text, with line feeds alone.
pub const TEXT: &str = r#"// The island of the demo: the miller's bucket, the open gate, the signs on the table mountain.
GlobalVars (
    NULL : object,
    Miller : object,
    Patrol : object,
    Farmer : object,
    Gate : object,
    BucketQuest : float,
    GateQuest : float,
    SignsQuest : float
)

DeclareScript MillerAsks ( who : object )
DeclareScript FarmerThanks ( who : object )
DeclareScript SignsWake ( who : object )
DeclareScript PatrolTurns ( guard : object )

// The miller has lost his bucket in the well.
Script MillerAsks
(
    if
    (
        IsEqual ( GSGetVar ( 0, "q.bucket" ), 0 )
        IsUnitInCircle ( who, 89.4, 50.6, 4 )
    )
    then
    (
        StartBriefing ( "bucket" )
        GSSetVar ( 0, "q.bucket", 1 )
        BucketQuest = 1
        KillScript ( )
    )
)

// The farmer is grateful when the gate of the field is opened.
Script FarmerThanks
(
    if
    (
        IsEqual ( GetLeverState ( Gate ), 1 )
        IsEqual ( GateQuest, 0 )
    )
    then
    (
        GateQuest = 1
        GSSetVar ( 0, "q.gate", 1 )
        AddMoney ( 0, 50 )
        Say ( Farmer, "farmer thanks" )
        KillScript ( )
    )
)

// The signs glow when a character comes near at night.
Script SignsWake
(
    if
    (
        IsUnitInCircle ( who, 97, 72.5, 6 )
        IsNight ( )
    )
    then
    (
        SignsQuest = 1
        CreateParticleSource ( "signs", 97, 72.5, 0.5 )
        KillScript ( )
    )
)

// The patrol calls those who follow it, one after the other.
Script PatrolTurns
(
    if
    (
        IsUnitInCircle ( guard, 41, 51, 2 )
    )
    then
    (
        for ( follower, "Guards" )
        (
            LookAt ( follower, 90, 51 )
            Wait ( follower, 3 )
        )
    )
)

WorldScript
(
    Miller = GetObjectByName ( "Miller" )
    Patrol = GetObjectByName ( "GuardOnPatrol" )
    Farmer = GetObjectByName ( "Farmer" )
    Gate = GetObjectByName ( "Gate" )
    BucketQuest = 0
    GateQuest = 0
    SignsQuest = 0
    MillerAsks ( GetLeader ( ) )
    FarmerThanks ( GetLeader ( ) )
    SignsWake ( GetLeader ( ) )
    PatrolTurns ( Patrol )
)
"#;
