"""What is stored of any item besides itself: versions, events, pictures, transcripts."""
